import { TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string | undefined
}

/** Searches while it is typed; `/` leads here. */
export const SearchField = ({ label, value, onChange, className }: Props) => {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const tell = useDebouncedCallback(onChange, 180)
  // What the address says counts again when it changes by itself, as by Back or a view.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  useHotkeys([['/', () => input.current?.focus()]])
  return (
    <TextInput
      ref={input}
      type="search"
      size="xs"
      className={className}
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}
