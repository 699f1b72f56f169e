import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { createV5 } from '../features/publications/v5/commands.ts'

const quay = { latitude: 52.3777, longitude: 4.9009, name: 'Stage on the quay' }
const docks = { latitude: 52.4016, longitude: 4.8917, name: 'Old docks, shed 12' }

/** What version 5 is used for: shows, banners and evenings that somebody can go to. `days` are from the first day on. */
export const shows = [
  {
    label: 'ShowDetail',
    name: 'Breakfast on the water',
    channel: 'harbour-fm',
    element: [{ label: 'Text', body: '<p>News, weather and tides, every morning from six.</p>' }],
    business_hours: [1, 2, 3, 4, 5].map((day) => ({
      open_day: day,
      open_time: '06:00',
      close_day: day,
      close_time: '09:00',
    })),
  },
  {
    label: 'Banner',
    name: 'Open air concerts',
    channel: 'website',
    call_to_action: 'Order tickets',
    url: 'https://www.harbourfm.example/tickets',
  },
  {
    label: 'Concert',
    name: 'Jazz under the railway arches, live',
    channel: 'harbour-fm-jazz',
    days: 12,
    locations: [docks],
    sales: [{ price: 17.5, currency: 'EUR', url: 'https://www.harbourfm.example/tickets/jazz' }],
    capacity: 400,
  },
  {
    label: 'Concert',
    name: 'A choir of dock workers, at the water',
    channel: 'harbour-fm',
    days: 26,
    locations: [quay],
    addresses: [{ street: 'Quay', number: '1', city: 'Amsterdam', country: 'NL' }],
    capacity: 1200,
    capacity_per_day: 600,
  },
]

/** Those that are not there yet, by the same command as the interface. */
export const seedShows = async (context: Context, tx: Tx, actor: Actor): Promise<number> => {
  const { environment_id, environment } = actor
  const begin = environment.created_on.getTime()
  const at = (days: number, hours = 0) =>
    new Date(begin + (days * 24 + hours) * 3_600_000).toISOString().slice(0, 19)
  let made = 0
  for (const [index, { channel, days, ...show }] of shows.entries()) {
    const id = `demo-show-${index + 1}`
    const { rows } = await sql<{ id: string; there: boolean }>`select id, exists (select 1 from publications
        where environment_id = ${environment_id} and id = ${id}) as there
      from channels where environment_id = ${environment_id} and slug = ${channel}`.execute(tx)
    if (!rows[0] || rows[0].there) continue
    const events = days === undefined ? [] : [{ from: at(days), until: at(days, 3), name: show.name }]
    const body = { ...show, status: 'published', published_on: at(-7), channel: { id: rows[0].id } }
    const sent = events.length > 0 ? { ...body, events } : body
    await createV5(context, tx, actor, sent, { isForm: false, faults: [], id })
    made += 1
  }
  return made
}
