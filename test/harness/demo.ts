import { loadDemo } from '../../src/features/studio/demo.ts'
import type { TestApp } from './app.ts'

/** The demo, in the app's environment. */
export const loadDemoInto = ({ context, organisation, environment }: TestApp): Promise<void> =>
  loadDemo(context, { organisation_id: organisation, environment_id: environment.id, user_id: null })
