const lifecycle = ['created', 'changed', 'deleted']
const records: Record<string, string[]> = {
  publication: ['published', 'unpublished', ...lifecycle],
  asset: lifecycle,
  channel: lifecycle,
  container: lifecycle,
  status: lifecycle,
  tag: lifecycle,
  publication_model: lifecycle,
  configuration: lifecycle,
  person: [
    ...lifecycle,
    'anonymized',
    'liked',
    'unliked',
    'subscribed',
    'unsubscribed',
    'segment.added',
    'segment.removed',
  ],
  segment: lifecycle,
  recommendation: [...lifecycle, 'gave_way'],
  comment: lifecycle,
  message: lifecycle,
  source: lifecycle,
  artist: lifecycle,
  track: lifecycle,
  timeline: lifecycle,
}

/** What a webhook can be called for, by kind of record. */
export const webhookEvents = Object.entries(records).map(([group, names]) => ({
  group,
  items: [
    ...names.map((name) => `${group}.${name}`),
    ...(group === 'publication' ? ['publication.updated'] : []),
  ],
}))
