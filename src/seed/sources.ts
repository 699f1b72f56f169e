import type { Context } from '../context.ts'
import type { Db, Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { createSource } from '../features/sources/commands.ts'
import { digest, type RawItem } from '../features/sources/parse/digest.ts'
import { writePolled } from '../features/sources/poll/write.ts'
import type { SourceBody } from '../features/sources/schema.ts'

type Followed = SourceBody & {
  name: string
  items?: [title: string, body: string, hoursAgo: number][]
}

/** Nobody is at these addresses, so nobody is asked. */
export const sources: Followed[] = [
  {
    label: 'Rss',
    name: 'Port authority',
    shortname: 'port',
    favorite: true,
    tag: 'official',
    url: 'https://port.example/notices.xml',
    items: [
      ['Night work at the north quay', 'From Monday until Friday, between 22:00 and 05:00.', 3],
      [
        'Record number of containers in October',
        'For the first time more than two million were handled.',
        20,
      ],
      ['Lock closed for inspection', 'On Thursday from 09:00 until 15:00 no ships pass the sea lock.', 44],
    ],
  },
  {
    label: 'Rss',
    name: 'City council',
    shortname: 'council',
    url: 'https://council.example/news.atom',
    items: [
      ['Council votes on the old docks', 'Eleven hundred homes, a school and a park are planned.', 6],
      ['New bicycle bridge named', 'Most of the four thousand votes went to “The Ferrywoman”.', 30],
    ],
  },
  {
    label: 'Rss',
    name: 'Storm warnings',
    shortname: 'storm',
    favorite: true,
    tag: 'official',
    url: 'https://weather.example/warnings.json',
    items: [['Code yellow along the coast', 'Gusts of up to 90 kilometres per hour in the evening.', 1]],
  },
  { label: 'MicroblogHashtag', body: 'harbourfm', name: '#harbourfm' },
  { label: 'PhotoSocialAccount', screen_name: 'harbourfm', name: 'Our own pictures' },
]

/** Sources with what they brought, as if they had been polled. */
export const seedSource = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  { items = [], ...body }: Followed,
): Promise<void> => {
  const { id, environment_id } = await createSource(context, tx, actor, { ...body, active: false })
  if (items.length === 0) return
  const now = Date.now()
  const url = body.url ?? ''
  const raw = items.map(([title, text, hours], place): RawItem => {
    const link = new URL(`/${place + 1}`, url).href
    const date = new Date(now - hours * 3_600_000).toISOString()
    return { reference: link, url: link, title, body: `<p>${text}</p>`, author: body.name, date }
  })
  const { items: fresh, seen } = digest(raw, '', url, now)
  await writePolled(tx as Db, [
    {
      ...{
        environment_id,
        id,
        generation: 1,
        delay: 0,
        interval: 1800,
        frequency: 2,
        failed: 0,
        error: null,
      },
      ...{ fetched: true, imported: true, state: {}, seen, account: null, items: fresh },
    },
  ])
}
