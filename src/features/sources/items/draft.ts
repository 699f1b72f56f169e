import type { FieldLabel, ModelField, ModelRow } from '../../models/table.ts'
import { titleField } from '../../models/title.ts'
import { shortened } from '../parse/clean.ts'
import type { SourceItemRecord } from '../table.ts'

/** Where the parts of an item go; undefined where the model has no place for one. */
type Places = { title?: string; body?: string; link?: string; picture?: string; maxTitle?: number }

const bodies = ['body', 'text', 'content', 'article', 'description', 'summary', 'intro', 'lead']
const pictures = ['image', 'picture', 'photo', 'cover', 'header']

/** By their names, or else the first of their kind. */
const fieldOf = (fields: ModelField[], label: FieldLabel, names: string[]): string | undefined => {
  const own = fields.filter((field) => field.label === label)
  const named = names.flatMap((name) => own.find(({ api_id }) => api_id === name) ?? [])
  return (named[0] ?? own[0])?.api_id
}

export const hasTitle = ({ fields }: ModelRow): boolean => titleField(fields)?.label === 'Text'

export const placesIn = (model: ModelRow | undefined): Places => {
  if (!model) return { title: 'title', body: 'body', link: 'link', picture: 'image' }
  const title = titleField(model.fields)
  const others = model.fields.filter((field) => field !== title)
  return {
    ...(title?.label === 'Text' && { title: title.api_id, maxTitle: title.validations.max_length }),
    body: fieldOf(others, 'Text', bodies),
    link: fieldOf(others, 'Resource', ['link', 'url', 'source']),
    picture: fieldOf(others, 'Asset', pictures),
  }
}

/** An item as the body of a new publication, which nobody sees before somebody has worked on it. */
export const draftOf = (
  item: SourceItemRecord,
  model: ModelRow | undefined,
  assetId: string | null,
  locale: string,
) => {
  const { title, body, link, picture, maxTitle = 500 } = placesIn(model)
  const name = shortened(item.title ?? item.url ?? item.id, maxTitle)
  const items = {
    ...(title && { [title]: { label: 'Text', body: name, format: 'H1' } }),
    ...(body && item.body && { [body]: { label: 'Text', body: item.body, format: null } }),
    ...(link && isWeb(item.url) && { [link]: { label: 'Resource', url: item.url, type: 'Webpage' } }),
    ...(picture && assetId && { [picture]: { label: 'Asset', items: [{ id: assetId }] } }),
  }
  return {
    label: 'Publication',
    ...(model && { model: { id: model.id } }),
    locales: [locale],
    items: { [locale]: items },
  }
}

const isWeb = (url: string | null): boolean => url !== null && /^https?:/.test(url)
