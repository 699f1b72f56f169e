import { channelRoutes } from '../features/channels/routes.ts'
import type { Routes } from './types.ts'

/** What the unversioned generation serves. */
export const unversioned: Routes[] = [channelRoutes]
