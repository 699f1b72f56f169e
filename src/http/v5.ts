import { channelRoutesV5 } from '../features/channels/routes-v5.ts'
import type { Routes } from './types.ts'

/** What version 5 serves, behind the prefix /v5. */
export const v5: Routes[] = [channelRoutesV5]
