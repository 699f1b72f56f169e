import type { en } from './en.ts'

/** The same keys in every language, by type. */
export type Texts = typeof en
export type Language = 'en' | 'nl'

/** Only that of the viewer is loaded, before anything is shown. Use it inside functions, not while a file loads. */
export let t: Texts
export let language: Language = 'en'

const key = 'marquee.language'

export const loadTexts = async (): Promise<void> => {
  const kept = localStorage.getItem(key)
  const wanted = kept ?? navigator.languages.find((one) => /^(en|nl)\b/.test(one))?.slice(0, 2)
  language = wanted === 'nl' ? 'nl' : 'en'
  t = language === 'nl' ? (await import('./nl.ts')).nl : (await import('./en.ts')).en
  document.documentElement.lang = language
}

export const chooseLanguage = (chosen: Language): void => {
  localStorage.setItem(key, chosen)
  location.reload()
}
