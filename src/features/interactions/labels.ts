/** Each label has a bit, its place here, in `person_facts.labels`: new ones go to the end. */
const participles = {
  View: 'Viewed',
  Like: 'Liked',
  Subscribe: 'Subscribed',
  Bookmark: 'Bookmarked',
  Share: 'Shared',
  Purchase: 'Purchased',
  Opened: 'Opened',
  Commented: 'Commented',
  Search: 'Searched',
  Cancellation: 'Cancelled',
  Clickthrough: 'ClickedThrough',
  Dislike: 'Disliked',
  Remarked: 'Remarked',
  Sale: 'Sold',
  Vote: 'Voted',
  Win: 'Won',
  Called: 'Called',
  Emailed: 'Emailed',
} as const

export type InteractionLabel = keyof typeof participles

export const interactionLabels = Object.keys(participles) as InteractionLabel[]

/** What `/interactions/labels` offers; the others are taken too, for those who sort, call, mail or sell by them. */
export const offeredLabels = interactionLabels.slice(0, 9)

const numbers = new Map<string, number>(interactionLabels.map((label, index) => [label, index]))

/** Its place in `interactionLabels`, and the number of its bit. */
export const labelNumber = (label: InteractionLabel): number => numbers.get(label)!

/** What a label sets in `person_facts.labels`. */
export const labelBit = (label: InteractionLabel): number => 1 << labelNumber(label)

const byName = new Map<string, InteractionLabel>(
  interactionLabels.flatMap((label): [string, InteractionLabel][] => [
    [participles[label], label],
    [label, label],
  ]),
)

/** The label that a filter means by its own name or by its participle, such as Purchased. */
export const labelNamed = (name: string): InteractionLabel | undefined => byName.get(name)

/** What a filter may say. */
export const interactionNames: readonly string[] = [...byName.keys()]
