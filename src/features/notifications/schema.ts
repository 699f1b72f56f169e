import { Type } from 'typebox'
import { DateTime, NullableDateTime } from '../../http/schemas.ts'
import { type NotificationState, notificationStates } from './table.ts'

const State = Type.Unsafe<NotificationState>({ type: 'string', enum: [...notificationStates] })

export const Notification = Type.Object(
  {
    created_on: DateTime(),
    changed_on: NullableDateTime(),
    label: Type.Literal('Notification'),
    state: State,
    publication: Type.Object({ id: Type.String() }),
  },
  { title: 'Notification' },
)

const Secret = Type.String({
  maxLength: 200,
  description: 'The session of the person; not needed with a personal token',
})
export const SessionQuery = Type.Object(
  { session_hash: Type.Optional(Secret) },
  { additionalProperties: false },
)
export const NotificationBody = Type.Object(
  { state: State, session_hash: Type.Optional(Secret) },
  { additionalProperties: false },
)
