import { added } from './added.ts'
import { management } from './management.ts'
import { specification } from './specification.ts'

/** Every endpoint there is or will be. The routes are held against it. */
export const endpoints = [...specification, ...added, ...management]
