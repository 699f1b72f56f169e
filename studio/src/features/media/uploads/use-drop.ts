import { useEffect, useState } from 'react'

/** Files dragged over the window, or pasted into it, while the component is shown. */
export const useDrop = (onFiles: (files: File[]) => void, enabled: boolean): boolean => {
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (!enabled) return
    const end = new AbortController()
    const hear = <K extends keyof WindowEventMap>(name: K, listener: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(name, listener, { signal: end.signal })
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    hear('dragover', (event) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    })
    hear('dragleave', (event) => {
      if (event.relatedTarget === null) setOver(false)
    })
    hear('drop', (event) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFiles([...event.dataTransfer!.files])
    })
    hear('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) onFiles(files)
    })
    return () => end.abort()
  }, [onFiles, enabled])
  return over
}
