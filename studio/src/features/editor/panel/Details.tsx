import { t } from '../../../texts/index.ts'
import { FieldBlock } from '../FieldBlock.tsx'
import { shortName } from '../names.ts'
import { useFacts } from '../saving/state.ts'
import type { Work } from '../saving/work.ts'
import type { Opened } from '../use-work.ts'
import { Assigned } from './Assigned.tsx'
import { Comments } from './Comments.tsx'
import { Insights } from './Insights.tsx'
import { Links } from './Links.tsx'
import { Section } from './Section.tsx'
import { Status } from './Status.tsx'
import { Versions } from './Versions.tsx'

type Props = { opened: Opened; work: Work; locale: string; locales: string[]; disabled: boolean }

/** Everything about the publication that is not its text. */
export const Details = ({ opened, work, locale, locales, disabled }: Props) => {
  const { id } = useFacts()
  const { model, fields } = opened
  const tags = fields.filter(({ label }) => label === 'TagBox')
  const language = shortName(locale, locales)
  return (
    <div>
      <Section name="status" title={t.editor.statusSection}>
        <Status locale={locale} locales={locales} disabled={disabled} />
      </Section>
      {(model?.channels ?? true) && (
        <Section name="channels" title={t.content.channels}>
          <Links name="channels" label="Channel" locale={locale} disabled={disabled} />
        </Section>
      )}
      {(model?.stories ?? true) && (
        <Section name="containers" title={t.content.containers}>
          <Links name="containers" label="Container" locale={locale} disabled={disabled} />
        </Section>
      )}
      {tags.length > 0 && (
        <Section name="tags" title={t.content.tags}>
          {tags.map((field) => (
            <FieldBlock
              key={`${locale} ${field.api_id}`}
              field={field}
              locale={locale}
              language={language}
              isTitle={false}
              disabled={disabled}
            />
          ))}
        </Section>
      )}
      <Section name="assigned" title={t.content.assignedTo}>
        <Assigned locale={locale} language={language} disabled={disabled} />
      </Section>
      {id && (
        <>
          <Section name="versions" title={t.editor.versions} closed>
            <Versions id={id} opened={opened} work={work} locales={locales} disabled={disabled} />
          </Section>
          <Section name="comments" title={t.editor.comments} closed>
            <Comments id={id} disabled={disabled} />
          </Section>
          <Section name="insights" title={t.content.insights} closed>
            <Insights id={id} />
          </Section>
        </>
      )}
    </div>
  )
}
