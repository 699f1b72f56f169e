import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentNeighbours } from './content.ts'
import { applyCorrections } from './corrections.ts'
import { companionsOf, easeSolver } from './ease.ts'
import { addEvent, type Events, emptyEvents } from './events.ts'
import { gramOf, strongest } from './gram.ts'
import { historiesOf } from './matrix.ts'
import { trainModel } from './model.ts'
import { solveRidge } from './ridge.ts'
import { predict } from './score.ts'

const lists = [[0, 1, 2], [0, 1], [1, 2, 3], [0, 2], [3, 4], [2, 3, 4], [0, 1, 2, 3], [4]]

const eventsOf = (histories: readonly number[][]): Events => {
  const events = emptyEvents(4)
  histories.forEach((items, person) => {
    for (const item of items) addEvent(events, person, item, 1, 0)
  })
  return events
}

/** Gauss–Jordan; good enough for five rows. */
const inverse = (matrix: number[][]): number[][] => {
  const size = matrix.length
  const rows = matrix.map((row, at) => [...row, ...row.map((_, column) => (column === at ? 1 : 0))])
  for (let at = 0; at < size; at++) {
    const pivot = rows[at]![at]!
    rows[at] = rows[at]!.map((value) => value / pivot)
    for (let other = 0; other < size; other++) {
      const factor = rows[other]![at]!
      if (other !== at) rows[other] = rows[other]!.map((value, column) => value - factor * rows[at]![column]!)
    }
  }
  return rows.map((row) => row.slice(size))
}

test('with all publications as neighbours it is what dense EASE gives', () => {
  const lambda = 0.7
  const histories = historiesOf(eventsOf(lists), lists.length, { now: 0, cap: 100 })
  const gram = gramOf(histories, 5, 100)
  const dense = Array.from({ length: 5 }, () => Array.from({ length: 5 }, () => 0))
  for (const items of lists)
    for (const one of items) for (const other of items) dense[one]![other]! += items.length ** -0.3
  const p = inverse(dense.map((row, at) => row.map((value, other) => value + (at === other ? lambda : 0))))
  const solve = easeSolver(gram, { neighbours: 10, lambda })
  for (let item = 0; item < 5; item++) {
    const { neighbours, weights } = solve(companionsOf(gram, item))
    for (let other = 0; other < 5; other++) {
      if (other === item) continue
      const at = neighbours.indexOf(other)
      // Without any companion in common dense EASE may still weigh it; local EASE leaves it out.
      if (at >= 0 && neighbours.length === 4)
        assert.ok(Math.abs(weights[at]! - -p[other]![item]! / p[item]![item]!) < 1e-4, `${item} ${other}`)
    }
  }
  assert.ok([...Array(5).keys()].some((item) => companionsOf(gram, item).columns.length === 4))
})

test('the strongest are found, with and without ties', () => {
  for (let round = 0; round < 500; round++) {
    const row = Float32Array.from({ length: 1 + (round % 97) }, () =>
      round % 2 ? Math.random() : Math.floor(Math.random() * 10),
    )
    const keep = 1 + (round % 31)
    const found = strongest(row, Int32Array.from(row.keys()), keep)
    const values = [...found].map((column) => row[column]!).sort((a, b) => b - a)
    const all = [...row].filter((value) => value > 0).sort((a, b) => b - a)
    assert.deepEqual(values, all.slice(0, keep))
    assert.deepEqual(
      [...found],
      [...found].sort((a, b) => a - b),
    )
  }
})

test('a ridge is solved, and one that cannot be is told', () => {
  const b = Float64Array.of(1, 2)
  assert.equal(solveRidge(Float64Array.of(2, 0, 1, 3), b, 2, 1), true)
  assert.ok(Math.abs(3 * b[0]! + b[1]! - 1) < 1e-12 && Math.abs(b[0]! + 4 * b[1]! - 2) < 1e-12)
  assert.equal(solveRidge(Float64Array.of(-2, 0, 0, 1), Float64Array.of(1, 1), 2, 1), false)
})

test('only the newest of a long history count, repeats are bounded, what is disliked is left out', () => {
  const events = emptyEvents()
  for (let item = 0; item < 5; item++) addEvent(events, 0, item, 1, item)
  for (let round = 0; round < 9; round++) addEvent(events, 0, 4, 1, 10)
  addEvent(events, 0, 3, -2.5, 11)
  const { columns, values } = historiesOf(events, 1, { now: 11, cap: 3 })
  assert.deepEqual([...columns], [4, 2])
  assert.equal(values[0], 3)
})

test('publications are alike by the terms that few others have', () => {
  const rows = {
    starts: Int32Array.of(0, 2, 4, 6, 8),
    columns: Int32Array.of(0, 1, 0, 1, 0, 2, 0, 2),
    values: new Float32Array(8).fill(1),
  }
  const { starts, columns, values } = contentNeighbours({ rows, terms: 3 })
  const likeness = (one: number, other: number): number => {
    const at = columns.subarray(starts[one]!, starts[one + 1]!).indexOf(other)
    return at < 0 ? 0 : values[starts[one]! + at]!
  }
  assert.ok(likeness(0, 1) > likeness(0, 2) * 2)
  assert.ok(likeness(2, 3) > likeness(2, 0) * 2)
  assert.ok(Math.abs(likeness(0, 1) - 1) < 1e-5)
})

test('a publication learned anew takes the place of what was known of it, and a new one gets a number', () => {
  const none = {
    rows: { starts: new Int32Array(6), columns: new Int32Array(), values: new Float32Array() },
    terms: 0,
  }
  const ids = ['a', 'b', 'c', 'd', 'e']
  const { model } = trainModel(ids, eventsOf(lists), lists.length, none, 0)
  const weights = { collaborative: 1, sessions: 0, content: 0, popularity: 0 }
  const row = { content: [], likeness: [], support: 3, popularity: 1 }
  applyCorrections(model, [
    { ...row, publication_id: 'f', neighbours: ['e'], weights: [9] },
    { ...row, publication_id: 'd', neighbours: ['a'], weights: [1] },
  ])
  const after = (item: number) =>
    predict(model, [{ item, strength: 1 }], weights, new Set(), 10).map(({ item: found }) => model.ids[found])
  assert.equal(after(4)[0], 'f')
  assert.ok(!after(4).includes('d'))
  assert.ok(after(0).includes('d'))
  applyCorrections(model, [{ ...row, publication_id: 'f', neighbours: ['a'], weights: [9] }])
  assert.ok(!after(4).includes('f'))
  assert.equal(after(0)[0], 'f')
})
