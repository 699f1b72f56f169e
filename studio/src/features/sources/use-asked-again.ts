import { useEffect } from 'react'
import { refresh } from '../../api/queries.ts'

/** Items and polls come without events, so that what is shown is asked for again every 20 seconds. */
export const useAskedAgain = (): void => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh('sources')
    }, 20_000)
    return () => clearInterval(timer)
  }, [])
}
