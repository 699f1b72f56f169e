import { Type } from 'typebox'
import { base } from '../../../http/schemas.ts'
import { Reference } from '../schemas.ts'

export const AuditEntry = Type.Object(
  {
    ...base('AuditEntry'),
    event: Type.String({ examples: ['channel.created'] }),
    record: Type.Object({ id: Type.String(), label: Type.String() }),
    performed_by: Type.Object({ user: Reference, token: Reference }),
  },
  { title: 'AuditEntry' },
)
