import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const service = process.env.MARQUEE_STUDIO_SERVICE ?? 'https://localhost:8443'

export default defineConfig({
  root: at('.'),
  base: '/studio/',
  plugins: [react()],
  resolve: { alias: { 'marquee-sdk': at('../sdk/src/index.ts') } },
  // The server puts a new nonce in for every request.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: at('../dist/studio'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Nothing may come from a data: address by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
  server: {
    // Everything but the Studio's own files is asked from a running service, as if from its own page.
    proxy: {
      '^/(?!studio/)': { target: service, secure: false, changeOrigin: true, headers: { origin: service } },
    },
  },
})
