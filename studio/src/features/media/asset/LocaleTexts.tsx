import { Stack, Title } from '@mantine/core'
import { useEnvironment } from '../../../api/access.ts'
import { localeName } from '../../../components/format.ts'
import { t } from '../../../texts/index.ts'
import { changeAsset } from '../changes.ts'
import type { Asset } from '../files.ts'
import classes from './Asset.module.css'
import { SavedText } from './SavedText.tsx'

/** Alt text and caption in every locale of the environment. */
export const LocaleTexts = ({ asset, mayChange }: { asset: Asset; mayChange: boolean }) => {
  const environment = useEnvironment()
  return (
    <Stack component="section" gap="md">
      <Title order={2} size="h3">
        {t.media.texts}
      </Title>
      {(environment?.locales ?? []).map((locale) => (
        <fieldset key={locale} className={classes.locale}>
          <legend>{localeName(locale)}</legend>
          <SavedText
            label={
              <>
                {t.media.alt}
                {!asset.alt[locale] && <span className={classes.missing}> · {t.media.altMissing}</span>}
              </>
            }
            description={t.media.altHint}
            lang={locale}
            lines
            disabled={!mayChange}
            value={asset.alt[locale] ?? ''}
            onSave={(text) => changeAsset(asset, { alt: { [locale]: text } })}
          />
          <SavedText
            label={t.media.caption}
            lang={locale}
            lines
            disabled={!mayChange}
            value={asset.caption[locale] ?? ''}
            onSave={(text) => changeAsset(asset, { caption: { [locale]: text } })}
          />
        </fieldset>
      ))}
    </Stack>
  )
}
