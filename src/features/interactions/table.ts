export type InteractionTable = {
  environment_id: string
  created_on: Date
  id: string
  publication_id: string
  person_key: string
  label: string
  value: number | null
}
