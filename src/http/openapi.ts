import type { Context } from '../context.ts'
import type { App } from './types.ts'

export const openApiRoutes = async (_app: App, _context: Context): Promise<void> => {}
