type Told = {
  id: string
  created_on: Date
  event: string
  snapshot: unknown
  performed_by: { user_id: string | null; token_id: string | null }
}

/** An event as webhooks and streams tell it. Its id is the same wherever and however often it is told. */
export const bodyOf = ({ id, created_on, event, snapshot, performed_by }: Told) => ({
  id,
  created_on: `${created_on.toISOString().slice(0, 19)}+00:00`,
  event,
  payload: snapshot,
  performed_by: { user: reference(performed_by.user_id), token: reference(performed_by.token_id) },
})

/** The same as JSON, around a payload that was written before: one may be large and go to many. */
export const bodyText = (told: Omit<Told, 'snapshot'>, payload: string): string => {
  const { payload: _payload, performed_by, ...head } = bodyOf({ ...told, snapshot: null })
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload},"performed_by":${JSON.stringify(performed_by)}}`
}

const reference = (id: string | null) => (id === null ? null : { id })
