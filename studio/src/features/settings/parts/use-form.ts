import { type ChangeEvent, type FormEvent, useState } from 'react'
import { faultsOf } from '../../../components/explain.ts'
import { toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'

type Typed = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>

/** The values of a form, what the service says of each, and sending them. */
export const useForm = <V extends object>(
  initial: V,
  send: (values: V) => Promise<unknown>,
  what = t.settings.saving,
) => {
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const set = (changes: Partial<V>) => setValues((before) => ({ ...before, ...changes }))
  /** Also what is wrong inside, such as `scopes.3`. */
  const faultOf = (name: string): string | undefined =>
    Object.entries(faults).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1]
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    setBusy(true)
    try {
      await send(values)
      setFaults({})
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(what, error)
    }
    setBusy(false)
  }
  return {
    values,
    set,
    busy,
    submit,
    faultOf,
    /** For an input of text. */
    text: (name: keyof V & string) => ({
      value: String(values[name] ?? ''),
      error: faultOf(name),
      onChange: (event: Typed) => set({ [name]: event.currentTarget.value } as Partial<V>),
    }),
    check: (name: keyof V & string) => ({
      checked: values[name] === true,
      error: faultOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set({ [name]: event.currentTarget.checked } as Partial<V>),
    }),
  }
}
