import { Type } from 'typebox'
import { Body, base, NullableDateTime, Text } from '../../http/schemas.ts'

const body = Text(10_000, { examples: ['Please check the figures before noon'] })

export const RemarkBody = Body({ body }, ['last_seen'])
export const Remark = Type.Object(
  { ...base('Remark'), last_seen: NullableDateTime(), body },
  { title: 'Remark' },
)
