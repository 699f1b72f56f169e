import { useMemo } from 'react'
import type { Address } from '../../address.ts'
import { useEnvironment } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import type { FilterField } from '../../components/filters/filter.ts'

type ModelField = { api_id: string; label: string; title?: string | null; filterable?: boolean }
type Kind = Pick<FilterField, 'type' | 'operators'>

const number: Kind = { type: 'number', operators: ['eq', 'neq', 'gte', 'lte', 'gt', 'lt', 'has'] }
const date: Kind = { type: 'date', operators: ['gte', 'lte', 'gt', 'lt', 'eq', 'has'] }
const text: Kind = { type: 'text', operators: ['eq', 'neq', 'sw', 'has'] }
const kinds: Record<string, Kind> = {
  Integer: number,
  Float: number,
  Number: number,
  DateTime: date,
  DateTimeRange: date,
  Boolean: { type: 'boolean', operators: ['eq', 'neq', 'has'] },
  Coordinates: { type: 'text', operators: ['near', 'has'] },
}

/** The one model that the filters name, if they name one. */
const modelIn = (address: Address): string | undefined => {
  const named = address['model[eq]'] ?? address['model[in]']
  return named && !named.includes(',') ? named : undefined
}

/** Fields of that model that publications can be found by, in the locale that the list is about. */
export const useItemFields = (address: Address): FilterField[] => {
  const environment = useEnvironment()
  const id = modelIn(address)
  const query = { fields: 'fields' }
  const model = useRead(
    '/publication_models/{id}',
    { path: { id: id ?? '' }, query },
    { enabled: id !== undefined },
  )
  const locale = address.locale ?? environment?.default_locale
  const fields = id === undefined ? undefined : (model.data as { fields?: ModelField[] } | undefined)?.fields
  return useMemo(
    () =>
      (fields ?? [])
        .filter(({ filterable }) => filterable)
        .map(({ api_id, label, title }) => ({
          name: `items.${locale}.${api_id}`,
          title: title || api_id,
          ...(kinds[label] ?? text),
        })),
    [fields, locale],
  )
}
