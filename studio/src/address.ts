import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** What stands behind the ? of an address: names and plain texts. */
export type Address = Record<string, string>

export const parseSearch = (text: string): Address => Object.fromEntries(new URLSearchParams(text))

/** Brackets and commas stay readable. */
export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',')}`
}

export type Change = (changes: Record<string, string | undefined>, how?: { replace?: boolean }) => void

/**
 * The state of a page that belongs in its address: filters, view, locale, open panel. Undefined removes a name.
 * `replace` is for what is typed, so that Back does not go through every letter.
 */
export const useAddress = (): [Address, Change] => {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const change = useCallback<Change>(
    (changes, { replace = false } = {}) => {
      navigate({ to: '.', search: ((before: Address) => ({ ...before, ...changes })) as never, replace })
    },
    [navigate],
  )
  return [address, change]
}
