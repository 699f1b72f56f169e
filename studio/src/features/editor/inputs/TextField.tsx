import { Textarea } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { firstFormat } from '../saving/values.ts'
import classes from './Inputs.module.css'
import type { InputProps } from './input.ts'
import { StringInput } from './simple.tsx'

const RichText = lazy(() => import('./RichText.tsx'))

/** Headings and code as they are typed, anything else as rich text. */
export const TextField = (props: InputProps) => {
  const { value, onChange, field, name, isTitle = false, disabled, error } = props
  const format = (value?.format as string | null | undefined) ?? (value ? null : firstFormat(field, isTitle))
  if ((field.validations?.values?.length ?? 0) > 0) return <StringInput {...props} />
  if (format === null) return <Rich {...props} />
  const kind = format === 'CODE' ? classes.code : isTitle ? classes.bare : classes.heading
  return (
    <Textarea
      className={kind}
      aria-label={name}
      placeholder={isTitle ? name : undefined}
      disabled={disabled}
      error={error}
      autosize
      minRows={format === 'CODE' ? 4 : 1}
      maxRows={24}
      dir={format === 'CODE' ? 'ltr' : 'auto'}
      spellCheck={format !== 'CODE'}
      value={(value?.body as string | null) ?? ''}
      onKeyDown={(event) => isTitle && event.key === 'Enter' && event.preventDefault()}
      onChange={(event) => {
        const body = event.currentTarget.value
        onChange(body === '' && isTitle ? null : { label: 'Text', body, format })
      }}
    />
  )
}

/** An editor costs some milliseconds to make: those far below the window wait until they come near. */
const Rich = (props: InputProps) => {
  const box = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '800px' },
    )
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  const waiting = <div className={classes.waiting} />
  return (
    <div ref={box}>{near ? <Suspense fallback={waiting}>{<RichText {...props} />}</Suspense> : waiting}</div>
  )
}
