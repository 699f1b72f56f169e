import { useMediaQuery } from '@mantine/hooks'

/** Where things fold: `phone` two-line rows and a drawer, `narrow` a rail of icons, `wide` panels over the content. */
const limits = { phone: '48em', narrow: '75em', wide: '68em' }

export const useIsSmall = (limit: keyof typeof limits = 'phone'): boolean =>
  useMediaQuery(`(max-width: ${limits[limit]})`, window.matchMedia(`(max-width: ${limits[limit]})`).matches)
