import { language } from '../../../texts/index.ts'

export type Property = {
  name: string
  kind: 'text' | 'long' | 'url' | 'number' | 'whole' | 'choice' | 'time' | 'moment'
  values?: { value: string; label: string }[]
  /** In a new row. */
  first?: unknown
}

const text = (name: string): Property => ({ name, kind: 'text' })
const long = (name: string): Property => ({ name, kind: 'long' })
const url = (name: string): Property => ({ name, kind: 'url' })
const moment = (name: string): Property => ({ name, kind: 'moment' })
const number = (name: string): Property => ({ name, kind: 'number' })

const same = (values: string[]) => values.map((value) => ({ value, label: value }))

/** Values with several properties. */
export const shapes: Record<string, Property[]> = {
  Quote: [long('body'), text('author')],
  Number: [{ name: 'number', kind: 'whole' }, text('title'), text('description'), long('body')],
  Resource: [
    url('url'),
    {
      name: 'type',
      kind: 'choice',
      values: same(['Webpage', 'Audio', 'Video', 'Document', 'Other']),
      first: 'Webpage',
    },
  ],
  CardItem: [text('body'), text('sub_title'), long('description'), url('url'), text('url_label')],
  Coordinates: [number('latitude'), number('longitude')],
}

/** 2026-11-01 was a Sunday. */
const weekdays = () =>
  [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    value: String(day),
    label: new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
      new Date(Date.UTC(2026, 10, 1 + day)),
    ),
  }))
const day = (name: string): Property => ({ name, kind: 'choice', values: weekdays(), first: 1 })
const time = (name: string, first: string): Property => ({ name, kind: 'time', first })

/** Lists whose items have several properties. */
export const rowShapes: Record<string, () => Property[]> = {
  BusinessHours: () => [
    day('open_day'),
    time('open_time', '09:00'),
    day('close_day'),
    time('close_time', '17:00'),
  ],
  Locations: () => [text('name'), number('latitude'), number('longitude')],
  Addresses: () => ['street', 'number', 'postal_code', 'city', 'country'].map(text),
  Events: () => [text('name'), moment('from'), moment('until')],
  Sales: () => [number('price'), text('currency'), url('url'), moment('from'), moment('until')],
}
