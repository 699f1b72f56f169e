import type { Config } from '../../config.ts'

/**
 * What the Studio's page may load and run: its own files and the inline tags that carry the nonce of this answer.
 * Pictures and players may come from elsewhere, because feeds and channels name them; scripts never do.
 */
export const contentPolicy = (config: Config, nonce: string): string => {
  const hosts = [config.cdnHost && `https://${config.cdnHost}`].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    `connect-src 'self' ${hosts}`.trim(),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    'frame-src https:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
