import { localeName } from '../../components/format.ts'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import classes from './Content.module.css'
import type { Publication } from './row.ts'

const short = (locale: string): string => locale.split('-', 1)[0]!

/** Every locale of the environment: published, there, or owed. */
export const Translations = ({ row, locales }: { row: Publication; locales: string[] }) => {
  const own = new Set(row.locales)
  const owed = locales.filter((locale) => !own.has(locale))
  const stateOf = (locale: string) => {
    if (!own.has(locale)) return t.content.missing
    return row.published?.[locale] ? t.content.published : t.content.notPublished
  }
  const told = locales.map((locale) => t.content.localeState(localeName(locale), stateOf(locale))).join(', ')
  return (
    <span className={classes.locales} title={told}>
      <span className={classes.told}>{told}</span>
      {locales
        .filter((locale) => own.has(locale))
        .map((locale) => (
          <span key={locale} className={classes.locale} aria-hidden>
            <StatusMark meaning={row.published?.[locale] ? 'done' : 'none'} />
            {short(locale)}
          </span>
        ))}
      {owed.length > 0 && (
        <span className={classes.owed} aria-hidden>
          {owed.map(short).join(', ')} {t.content.missing}
        </span>
      )}
    </span>
  )
}
