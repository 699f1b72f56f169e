import type { Generated } from 'kysely'

export type InteractionTable = {
  environment_id: string
  created_on: Date
  id: string
  publication_id: string
  person_key: string
  label: string
  value: number | null
  recommendation_id: string | null
}

/** Ids that callers gave, so that a repeat is told. */
export type InteractionIdTable = { environment_id: string; id: string; seen_on: Generated<Date> }

export type PublicationCounterTable = {
  environment_id: string
  publication_id: string
  label: string
  count: string
}

/** What a commit did to persons and publications, until it is folded; the lists stand beside each other. */
export type AudienceDeltaTable = {
  id: Generated<string>
  environment_id: string
  persons: string[]
  /** Numbers of labels. */
  labels: number[] | null
  seen: Date[] | null
  publications: string[] | null
  removed: Generated<boolean>
}
