export {
  type Answer,
  type Body,
  type Client,
  createClient,
  type Method,
  type Options,
  type Path,
  type Query,
} from './client.ts'
export { ApiError, type Fault } from './error.ts'
export type * as Marquee from './generated/unversioned.ts'
export type * as V5 from './generated/v5.ts'
export { queryString } from './query.ts'
