import type { FilterBody } from '../../../components/filters/conditions.ts'

/** Rules as they are built: groups inside of one another, with filters of persons at their ends. */
export type RuleGroup = { key: string; match: 'all' | 'any'; items: RuleNode[] }
export type RuleLeaf = { key: string; filter: FilterBody }
export type RuleNode = RuleGroup | RuleLeaf

export type Rules = { match?: 'all' | 'any'; items?: Record<string, unknown> }

export const isGroup = (node: RuleNode): node is RuleGroup => 'items' in node

export const readRules = (rules: Rules, key = ''): RuleGroup => ({
  key,
  match: rules.match ?? 'all',
  items: Object.entries(rules.items ?? {}).map(([name, rule]) => readNode(name, rule as object)),
})

const readNode = (key: string, rule: object): RuleNode =>
  'items' in rule || 'match' in rule ? readRules(rule as Rules, key) : { key, filter: rule as FilterBody }

/** Groups without a rule are left out: the interface takes none. */
export const writeRules = ({ match, items }: RuleGroup): Rules => ({
  match,
  items: Object.fromEntries(
    items.flatMap((node): [string, unknown][] => {
      if (!isGroup(node)) return Object.keys(node.filter).length > 0 ? [[node.key, node.filter]] : []
      const inner = writeRules(node)
      return Object.keys(inner.items!).length > 0 ? [[node.key, inner]] : []
    }),
  ),
})

/** Two digits: rules are kept by the length and letters of their names, and so stay in the order they were made in. */
export const newKey = ({ items }: RuleGroup): string => {
  const taken = new Set(items.map(({ key }) => key))
  let number = 1
  while (taken.has(ruleName(number))) number += 1
  return ruleName(number)
}
export const ruleName = (number: number): string => `rule_${String(number).padStart(2, '0')}`

export const maxDepth = 5
