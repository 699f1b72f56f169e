import { mkdirSync, writeFileSync } from 'node:fs'
import { folder, generatedFiles } from './files.ts'

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(await generatedFiles())) writeFileSync(new URL(name, folder), text)
