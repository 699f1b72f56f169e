import { type Static, Type } from 'typebox'
import { Body, base, Changes, Text } from '../../http/schemas.ts'

const fields = { body: Text(200, { examples: ['In translation'] }) }

export const StatusBody = Body(fields)
export const StatusChanges = Changes(fields)
export type StatusBody = Static<typeof StatusBody>
export type StatusChanges = Static<typeof StatusChanges>

export const Status = Type.Object({ ...base('Status'), ...fields }, { title: 'Status' })
