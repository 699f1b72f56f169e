import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { filled, holdAll, type Library, startLibrary } from '../../../test/harness/library.ts'
import { inTurns } from '../../../test/harness/publications.ts'
import { faults } from '../../../test/harness/records/kind.ts'
import { operatorNames } from '../../database/operators.ts'

let library: Library
before(async () => {
  library = await startLibrary()
})

/** Every filter with every operator that it takes: what it finds in any locale. */
const filters: Record<string, string> = {
  'id[eq]=<A>': 'A',
  'id[in]=<A>,<B>,<none>': 'AB',
  'model[eq]=<M>': 'AB',
  'model[id]=<M>': 'AB',
  'model[0][id]=<N>': 'E',
  'model[in]=<M>,<N>': 'ABE',
  'model[eq]=<none>': '',
  'status[eq]=Done': 'ABC',
  'status[0][eq]=done': 'ABC',
  'status[eq]=Review': 'D',
  'status[in]=Review,To do': 'BDE',
  'status[0][in][0]=Review&status[0][in][1]=Done': 'ABCD',
  'status[eq]=Nothing': '',
  'locales[eq]=nl-NL': 'BCE',
  'locales[in][]=en-US&locales[in][]=nl-NL': 'ABCDE',
  'locales[0][eq]=nl-NL&locales[1][eq]=en-US': 'BE',
  'created_by[eq]=<U1>': 'D',
  'created_by[in]=<U0>,<U1>': 'D',
  'assigned_to[eq]=<U0>': 'AB',
  'assigned_to[in]=<U1>,<none>': '',
  'channels[eq]=<C0>': 'AB',
  'channels[in]=<C0>,<C1>': 'ABE',
  'channels[0][eq]=<C0>&channels[1][eq]=<C1>': 'B',
  'channels[0][eq]=two&channels[0][param]=Slug': 'BE',
  'channels[0][eq]=site one&channels[0][param]=Body': 'AB',
  'channels[0][in]=one,two&channels[0][param]=slug': 'ABE',
  'channels[0][eq]=<C0>&channels[0][param]=Id': 'AB',
  'channels[0][eq]=nowhere&channels[0][param]=Slug': '',
  'tags[eq]=<T0>': 'AB',
  'tags[all]=<T0>,<T1>': 'A',
  'tags[in]=<T1>,<T2>': 'ABC',
  'tags[has]=true': 'ABC',
  'tags[has]=false': 'DE',
  'tags[0][eq]=green-tag&tags[0][param]=slug': 'AB',
  'tags[0][in]=green tag,BLUE TAG&tags[0][param]=body': 'ABC',
  'tags[0][all]=red-tag,green-tag&tags[0][param]=slug': 'A',
  'tags[all]=<T0>,<none>': '',
  'containers[eq]=<K>': 'A',
  'containers[in]=<K>,<none>': 'A',
  'locale=en-US&slug[eq]=running-music': 'A',
  'locale=en-US&slug[sw]=run': 'AE',
  'locale=nl-NL&slug[eq]=running-music': '',
  'locale=nl-NL&slug[sw]=': 'BCE',
  'q[fz]=music': 'AD',
  'q=chairs': 'D',
  'q=zurich': 'B',
  'q=nosuchword': '',
  'title[fz]=run': 'AE',
  'title=music': 'A',
  'title=wedstrijd': 'C',
  'locale=en-US&title=wedstrijd': '',
  'created_on[eq]=2025-01-04': 'DE',
  'created_on[eq]=2025-01-04T10:00:00Z': 'DE',
  'created_on[eq]=2025-01-04T10:00:01Z': '',
  'created_on[lt]=2025-01-02T10:00:00Z': 'A',
  'created_on[gt]=1735812000': 'CDE',
  'created_on[0][gt]=2025-01-01T23:00:00Z&created_on[0][lt]=2025-01-03T23:00:00Z': 'BC',
  'changed_on[eq]=2025-02-05': 'B',
  'changed_on[lt]=2025-02-05': 'D',
  'changed_on[gt]=2025-02-01': 'BD',
  'publish_on[eq]=2026-01-01': 'A',
  'publish_on[lt]=2026-02-15': 'AB',
  'publish_on[gt]=2026-02-15': 'BC',
  'expire_on[eq]=2099-01-01': 'C',
  'expire_on[lt]=2098-06-01': 'BD',
  'expire_on[gt]=2098-06-01': 'C',
  'published[eq]=true': 'ABC',
  'published[eq]=false': 'BDE',
}

test('every filter finds exactly its rows with every operator it takes, whatever the sort', async () => {
  const cases = Object.entries(filters)
  await holdAll(library, cases)
  await holdAll(
    library,
    cases.map(([query, letters]) => [`${query}&sort=-publish_on`, letters] as const),
  )
})

const inLocale: [string, string, string][] = [
  ['', 'ABDE', 'BCE'],
  ['status[eq]=Done', 'AB', 'C'],
  ['assigned_to[eq]=<U0>', 'A', 'B'],
  ['tags[eq]=<T1>', 'A', 'B'],
  ['tags[has]=false', 'DE', 'E'],
  ['publish_on[lt]=2026-02-15', 'AB', ''],
  ['publish_on[gt]=2026-02-15', '', 'BC'],
  ['expire_on[gt]=2090-01-01', 'BD', 'C'],
  ['q=music', 'AD', ''],
  ['published[eq]=true', 'AB', 'C'],
  ['channels[eq]=<C1>', 'BE', 'BE'],
  ['created_on[lt]=2025-01-03', 'AB', 'B'],
  ['model[eq]=<M>', 'AB', 'B'],
  ['status[eq]=Done&tags[eq]=<T1>', 'A', ''],
]

test('with a locale every condition is about that locale', async () => {
  await holdAll(
    library,
    inLocale.flatMap(([query, english, dutch]) => [
      [`locale=en-US&${query}`, english] as const,
      [`locale=nl-NL&${query}`, dutch] as const,
    ]),
  )
})

test('without a locale one linked locale must fulfil all conditions together', async () => {
  await holdAll(library, [
    ['status[eq]=Done&tags[eq]=<T1>', 'A'],
    ['status[eq]=Done&publish_on[gt]=2026-02-15', 'C'],
    ['status[eq]=To do&tags[eq]=<T1>', 'B'],
    ['title=hardlopen&published[eq]=true', ''],
    ['or[0][status][eq]=Review&or[1][tags][eq]=<T2>', 'CD'],
    ['or[0][title]=hardlopen&or[1][title]=festival&published[eq]=true', 'B'],
    ['channels[eq]=<C0>&or[0][status][eq]=Review&or[1][tags][eq]=<T2>', ''],
    ['or[0][status][eq]=Done&or[0][tags][eq]=<T1>&or[1][model][eq]=<N>', 'AE'],
    ['or[0][id][eq]=<A>&or[1][id][eq]=<B>&or[2][id][eq]=<none>', 'AB'],
  ])
})

const byItems: [string, string][] = [
  ['items.en-US.price[lt]=2', 'A'],
  ['items.en-US.price[lte]=2', 'AB'],
  ['items.en-US.price[gt]=1', 'B'],
  ['items.en-US.price[gte]=1', 'AB'],
  ['items.nl-NL.price[gte]=1', 'B'],
  ['items[en-US][price][eq]=2', 'B'],
  ['items.en-US.price[neq]=2', 'A'],
  ['items.en-US.price[in]=1,7', 'A'],
  ['items.nl-NL.price[has]=false', 'A'],
  ['items.en-US.stock[eq]=10', 'A'],
  ['items.en-US.day[lt]=2026-02-01', 'A'],
  ['items.en-US.day[gt]=2026-02-01', 'B'],
  ['items.en-US.day[gte]=1770681600', 'B'],
  ['items.en-US.day[lte]=2026-02-10', 'AB'],
  ['items.en-US.day[eq]=2026-01-10', 'A'],
  ['items.en-US.span[lt]=2026-01-11', 'A'],
  ['items.en-US.span[has]=true', 'A'],
  ['items.en-US.code[eq]=AB-1', 'A'],
  ['items.en-US.code[neq]=AB-1', 'B'],
  ['items.en-US.code[in]=AB-1,AB-2', 'AB'],
  ['items.en-US.code[sw]=AB', 'AB'],
  ['items.en-US.code[has]=true', 'AB'],
  ['items.en-US.open[eq]=true', 'A'],
  ['items.en-US.open[neq]=true', 'B'],
  ['items.en-US.open[has]=false', ''],
  ['items.en-US.place[near]=52.37,4.89,1000', 'A'],
  ['items.en-US.place[near]=52.37,4.89,100000', 'AB'],
  ['items.en-US.place[near]=0,0,1000', ''],
]

test('fields of a model are found by the operators of their types', async () => {
  await holdAll(
    library,
    byItems.map(([query, letters]) => [`model[eq]=<M>&${query}`, letters] as const),
  )
})

const operatorsOf: Record<string, string[]> = {
  ...{ id: ['eq', 'in'], model: ['eq', 'in'], status: ['eq', 'in'], locales: ['eq', 'in'] },
  ...{
    created_by: ['eq', 'in'],
    assigned_to: ['eq', 'in'],
    channels: ['eq', 'in'],
    containers: ['eq', 'in'],
  },
  ...{ tags: ['eq', 'all', 'in', 'has'], slug: ['eq', 'sw'], q: ['fz'], title: ['fz'], published: ['eq'] },
  ...{ created_on: ['eq', 'lt', 'gt'], changed_on: ['eq', 'lt', 'gt'], publish_on: ['eq', 'lt', 'gt'] },
  expire_on: ['eq', 'lt', 'gt'],
}

test('any other operator, field, value or param is refused, and every fault is named', async () => {
  const { app } = library
  for (const [field, taken] of Object.entries(operatorsOf)) {
    const others = [...operatorNames, 'ne', 'like', 'constructor'].filter((one) => !taken.includes(one))
    await inTurns(others, async (operator) => {
      const answer = await app.get(`/publications?locale=en-US&${field}[${operator}]=1`)
      assert.ok(faults(answer)[0]!.startsWith(field), `${field} ${operator} ${answer.text}`)
    })
  }
  for (const [query, path] of [
    ['slug[eq]=x', 'slug'],
    ['created_on[gt]=soon', 'created_on'],
    ['published[eq]=maybe', 'published'],
    ['tags[has]=x', 'tags'],
    ['tags[0][eq]=x&tags[0][param]=name', 'tags'],
    ['channels[0][eq]=x&channels[0][param]=constructor', 'channels'],
    ['items.en-US.price[gt]=1', 'items'],
    ['model[eq]=<M>&items.en-US.nothing[gt]=1', 'items'],
    ['model[eq]=<M>&items.de-DE.price[gt]=1', 'items'],
    ['model[eq]=<M>&items.en-US.secret[eq]=x', 'items'],
    ['model[eq]=<M>&items.en-US.price[sw]=1', 'items'],
    ['model[eq]=<M>&items.en-US.price[gt]=cheap', 'items'],
    ['model[eq]=<M>&items.en-US.place[near]=91,0,5', 'items'],
    ['model[in]=<M>,<N>&items.en-US.price[gt]=1', 'items'],
    ['secret[eq]=x', 'secret'],
    ['environment_id[eq]=x', 'environment_id'],
    ['locale=de-DE', 'locale'],
    ['locale[]=en-US&locale[]=nl-NL', 'locale'],
    ['sort=title', 'sort'],
    ['sort=created_on;', 'sort'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['skip=-1', 'skip'],
    ['after=x', 'after'],
    ['fields=secret', 'fields'],
    ['q=', 'q'],
  ] as const) {
    const answer = await app.get(`/publications?${filled(library, query)}`)
    assert.ok(
      faults(answer).every((one) => one.startsWith(path)),
      `${query} ${answer.text}`,
    )
  }
  const all = 'status[lt]=1&tags[0][has]=x&nothing[eq]=1&limit=x&sort=x&locale=xx'
  const named = faults(await app.get(`/publications?${all}`)).map((path) => path.split('.')[0])
  for (const name of ['limit', 'locale', 'nothing', 'sort', 'status', 'tags'])
    assert.ok(named.includes(name), name)
})
