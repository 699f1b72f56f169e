import { useMemo } from 'react'
import type { Address } from '../../address.ts'
import { useEnvironment, useMe } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import type { Choice, FilterField } from '../../components/filters/filter.ts'
import { localeName } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { useItemFields } from './item-fields.ts'

type Named = { id: string; body?: string; name?: string }
const choiceOf = ({ id, body, name }: Named): Choice => ({ value: id, label: body ?? name ?? id })

/** Up to 100 by name; more are found by typing. */
const find =
  (path: '/channels' | '/containers' | '/tags' | '/publication_models' | '/users') =>
  async (typed: string): Promise<Choice[]> => {
    const query = { limit: 100, total: false, ...(typed && { q: { fz: typed } }) }
    const { items } = await api.get(path, { query: query as object })
    return (items as Named[]).map(choiceOf)
  }

/** By its words, so that an address can be read; names are the same in every environment. */
const statuses = async (): Promise<Choice[]> => {
  const { items } = await api.get('/statuses', { query: { limit: 100, total: false } })
  return items.map(({ body }) => ({ value: body, label: body }))
}

const moments = ['gt', 'lt'] as const

/** The filter language of publications: what every one has and, where one model is meant, that model's own fields. */
export const useContentFields = (address: Address): FilterField[] => {
  const itemFields = useItemFields(address)
  const environment = useEnvironment()
  const me = useMe()
  return useMemo(() => {
    const locales = (environment?.locales ?? []).map((locale) => ({
      value: locale,
      label: localeName(locale),
    }))
    const many = ['in', 'eq'] as const
    const choice = (
      name: string,
      title: string,
      found: FilterField['find'],
      more: Partial<FilterField> = {},
    ): FilterField => ({
      name,
      title,
      type: 'choice',
      operators: [...many],
      ...(found && { find: found }),
      ...more,
    })
    const date = (name: string, title: string): FilterField => ({
      name,
      title,
      type: 'date',
      operators: [...moments],
    })
    const fields: FilterField[] = [
      choice('status', t.content.status, statuses, { labelOf: (value) => value }),
      choice('model', t.content.model, find('/publication_models')),
      choice('locales', t.content.locale, undefined, { choices: locales }),
      choice('channels', t.content.channels, find('/channels')),
      choice('containers', t.content.containers, find('/containers')),
      choice('tags', t.content.tags, find('/tags'), { operators: ['in', 'all', 'has'] }),
      choice('assigned_to', t.content.assignedTo, find('/users')),
      choice('created_by', t.content.createdBy, find('/users')),
      { name: 'published', title: t.content.isPublished, type: 'boolean', operators: ['eq'] },
      { name: 'title', title: t.content.title, type: 'text', operators: ['fz'] },
      date('publish_on', t.content.publishOn),
      date('expire_on', t.content.expireOn),
      date('created_on', t.content.createdOn),
      date('changed_on', t.content.changedOn),
    ]
    return [...fields, ...itemFields].map((field) =>
      field.name.endsWith('_by') || field.name === 'assigned_to' ? withMe(field, me) : field,
    )
  }, [environment, me, itemFields])
}

const withMe = (field: FilterField, me: Named | undefined): FilterField => ({
  ...field,
  labelOf: (value) => (value === me?.id ? me.name : undefined),
})
