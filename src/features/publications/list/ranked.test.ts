import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { addPublication, text } from '../../../../test/harness/publications.ts'

/** So many publications like one, each a minute older than the one before, every seventh without a date. */
const multiply = async (app: TestApp, id: string, count: number): Promise<void> => {
  const environment = app.environment.id
  await app.sql`insert into publications (environment_id, id, label, locales, state, items, channel_ids, container_ids,
      facets, publish_on)
    select environment_id, id || '-' || n, label, locales, state, items, channel_ids, container_ids, facets,
      case when n % 7 > 0 then now() - make_interval(mins => n) end
    from publications, generate_series(1, ${count}::int) n where environment_id = ${environment} and id = ${id}`
  await app.sql`insert into publication_locales (environment_id, id, locale, slug_scope, slug, title, status_id,
      publish_on, facets, title_search, search, items)
    select environment_id, id || '-' || n, locale, slug_scope, slug || '-' || n, title, status_id,
      case when n % 7 > 0 then now() - make_interval(mins => n) end, facets, title_search, search, items
    from publication_locales, generate_series(1, ${count}::int) n
    where environment_id = ${environment} and id = ${id}`
}

type Walked = { ids: string[]; titles: string[]; total: number }

const walk = async (app: TestApp, query: string, way: 'after' | 'before'): Promise<Walked> => {
  const path = `/publications?${query}&fields=title&limit=1000`
  const found: Walked = { ids: [], titles: [], total: 0 }
  const begin = way === 'after' ? '' : `&before=${(await app.get(`${path}&skip=100000`)).body.before}`
  let { body } = await app.get(path + begin)
  found.total = body.total
  for (let page = 0; page < 30 && body.items.length > 0; page += 1) {
    const items = way === 'after' ? body.items : body.items.reverse()
    found.ids.push(...items.map(({ id }: { id: string }) => id))
    found.titles.push(...items.map(({ title }: { title: Record<string, string> }) => title['en-US']))
    body = (await app.get(`${path}&${way}=${body[way]}`)).body
  }
  return found
}

test('more than can be ranked is found whole: titles first, the rest the newest first, both ways', async () => {
  const app = await startApp()
  const add = async (title: string, body: string) =>
    (await addPublication(app, { 'en-US': { title: text(title, 'H1'), body: text(body) } })).id as string
  await multiply(app, await add('Something', 'with music'), 10_200)
  await multiply(app, await add('Some music', 'inside'), 40)
  await multiply(app, await add('Music', 'itself'), 3)
  const orders: Record<string, [string, number][]> = {
    rank: [
      ['Music', 4],
      ['Some music', 41],
      ['Something', 10_201],
    ],
    title: [
      ['Music', 5205],
      ['Something', 10_201],
    ],
  }
  for (const [name, expected] of Object.entries(orders)) {
    if (name === 'title') {
      await multiply(app, await add('Music', 'again'), 5159)
      await app.sql`update publications set state = jsonb_set(state, '{en-US,title}', '"Music"')
        where environment_id = ${app.environment.id} and state -> 'en-US' ->> 'title' = 'Some music'`
    }
    app.context.versions.bump(app.environment.id, 'content')
    for (const locale of name === 'rank' ? ['', '&locale=en-US'] : ['&locale=en-US']) {
      const forth = await walk(app, `q=music${locale}`, 'after')
      const runs = expected.flatMap(([title, count]) => Array.from({ length: count }, () => title))
      assert.equal(forth.total, runs.length, name)
      assert.equal(new Set(forth.ids).size, runs.length, name)
      assert.deepEqual(forth.titles, runs, name)
      for (const skip of [44, 10_240]) {
        const { body } = await app.get(`/publications?q=music${locale}&skip=${skip}&limit=2`)
        const ids = body.items.map(({ id }: { id: string }) => id)
        assert.deepEqual(ids, forth.ids.slice(skip, skip + 2), `${name} ${skip}`)
      }
      if (locale === '') continue
      const back = await walk(app, `q=music${locale}`, 'before')
      assert.deepEqual(back.ids.reverse(), forth.ids, name)
    }
  }
})
