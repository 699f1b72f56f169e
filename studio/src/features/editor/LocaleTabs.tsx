import { NativeSelect, UnstyledButton } from '@mantine/core'
import type { Change } from '../../address.ts'
import { useIsSmall } from '../../components/small.ts'
import { t } from '../../texts/index.ts'
import classes from './Editor.module.css'
import { shortName } from './names.ts'
import { itemKey } from './saving/keys.ts'
import { type Facts, useFacts } from './saving/state.ts'
import { type Store, useShape, useStore } from './saving/store.ts'
import { type Field, isFilled } from './saving/values.ts'

type Props = {
  fields: Field[]
  locale: string
  split: string | undefined
  locales: string[]
  first: string
  onChange: Change
}

/** What a language still lacks, in words; nothing where it is whole. */
const lackOf = (store: Store, facts: Facts, fields: Field[], locale: string, first: string): string => {
  const own = fields.filter(({ localized }) => localized !== false)
  const has = (field: Field) => isFilled(store.values.get(itemKey(field, locale)))
  if (!own.some(has)) return t.content.missing
  const owed = own.filter((field) => field.required && !has(field)).length
  if (owed > 0) return t.editor.owed(owed)
  const [mine, original] = [facts.changed[locale], facts.changed[first]]
  return locale !== first && mine && original && original > mine ? t.editor.stale : ''
}

export const LocaleTabs = ({ fields, locale, split, locales, first, onChange }: Props) => {
  useShape()
  const store = useStore()
  const facts = useFacts()
  const phone = useIsSmall('phone')
  const others = locales.filter((one) => one !== locale)
  return (
    <div className={classes.locales} role="group" aria-label={t.editor.languages}>
      {locales.map((one) => {
        const lack = lackOf(store, facts, fields, one, first)
        return (
          <UnstyledButton
            key={one}
            className={classes.locale}
            aria-pressed={one === locale}
            onClick={() => onChange({ locale: one, ...(one === split && { split: locale }) })}
          >
            {shortName(one, locales)}
            {lack && <span className={classes.lack}>{lack}</span>}
          </UnstyledButton>
        )
      })}
      {others.length > 0 && !phone && (
        <NativeSelect
          className={classes.beside}
          size="xs"
          aria-label={t.editor.beside}
          value={split ?? ''}
          data={[
            { value: '', label: t.editor.noSplit },
            ...others.map((one) => ({ value: one, label: t.editor.splitWith(shortName(one, locales)) })),
          ]}
          onChange={(event) => onChange({ split: event.currentTarget.value || undefined })}
        />
      )}
    </div>
  )
}
