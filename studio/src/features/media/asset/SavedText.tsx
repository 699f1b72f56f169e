import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

type Props = {
  label: ReactNode
  description?: string
  value: string
  onSave: (value: string | null) => void
  lines?: boolean
  disabled?: boolean
  lang?: string
}

/** A text that is saved when it is left. What others write shows up unless somebody is typing here. */
export const SavedText = ({ label, description, value, onSave, lines, disabled, lang }: Props) => {
  const [typed, setTyped] = useState(value)
  const isHere = useRef(false)
  useEffect(() => {
    if (!isHere.current) setTyped(value)
  }, [value])
  const leave = () => {
    isHere.current = false
    const text = typed.trim()
    if (text !== value) onSave(text || null)
  }
  // Whoever goes back by the keyboard leaves without leaving the field.
  const leaving = useRef<() => unknown>(leave)
  leaving.current = () => isHere.current && leave()
  useEffect(() => () => void leaving.current(), [])
  const props = {
    label,
    description,
    disabled,
    lang,
    dir: 'auto',
    size: 'sm',
    value: typed,
    onFocus: () => {
      isHere.current = true
    },
    onBlur: leave,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  }
  return lines ? <Textarea autosize minRows={2} maxRows={8} {...props} /> : <TextInput {...props} />
}
