import '@fontsource-variable/inter/index.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { loadTexts } from './texts/index.ts'

declare global {
  var __webpack_nonce__: string | undefined
}

/** The nonce of this page: Mantine's style tags carry it, and those that hold the scrolling of a page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
globalThis.__webpack_nonce__ = nonce

await loadTexts()
createRoot(document.getElementById('root')!).render(<App nonce={nonce} />)
