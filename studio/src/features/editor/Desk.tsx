import { useMemo } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { Panel } from '../../components/Panel.tsx'
import { useIsSmall } from '../../components/small.ts'
import { t } from '../../texts/index.ts'
import { Conflict } from './Conflict.tsx'
import classes from './Editor.module.css'
import { EditorHead } from './EditorHead.tsx'
import { FieldBlock } from './FieldBlock.tsx'
import { LocaleTabs } from './LocaleTabs.tsx'
import { shortName } from './names.ts'
import { Details } from './panel/Details.tsx'
import { titleField } from './saving/values.ts'
import type { Opened } from './use-work.ts'

type Props = { opened: Opened; locales: string[]; first: string }

/** Head, languages, the fields in the middle and the details beside them. */
export const Desk = ({ opened, locales, first }: Props) => {
  const [address, change] = useAddress()
  const can = useCan()
  const small = useIsSmall('wide')
  const { fields, work } = opened
  const locale = locales.includes(address.locale ?? '') ? address.locale! : first
  const split = locales.find((one) => one === address.split && one !== locale)
  const disabled = !can('publications_publish')
  const title = titleField(fields)
  // Tags stand beside the text, with the other things that sort it.
  const ordered = useMemo(
    () => [...(title ? [title] : []), ...fields.filter((one) => one !== title && one.label !== 'TagBox')],
    [fields, title],
  )
  const isOpen = small ? address.panel === 'open' : address.panel !== 'closed'
  const toggle = () =>
    change({ panel: isOpen ? (small ? undefined : 'closed') : small ? 'open' : undefined }, { replace: true })
  const block = (field: (typeof fields)[number], one: string) => (
    <FieldBlock
      key={`${one} ${field.api_id}`}
      field={field}
      locale={one}
      language={shortName(one, locales)}
      isTitle={field === title}
      disabled={disabled}
    />
  )
  return (
    <div className={classes.page}>
      <div className={classes.desk}>
        <EditorHead
          opened={opened}
          title={title}
          locale={locale}
          locales={locales}
          isPanelOpen={isOpen}
          onPanel={toggle}
        />
        <Conflict opened={opened} locales={locales} />
        <LocaleTabs
          fields={fields}
          locale={locale}
          split={split}
          locales={locales}
          first={first}
          onChange={change}
        />
        <div className={classes.paper}>
          <div className={classes.column} data-split={split ? '' : undefined}>
            {ordered.map((field) =>
              split && field.localized !== false ? (
                <div key={field.api_id} className={classes.pair}>
                  {block(field, locale)}
                  {block(field, split)}
                </div>
              ) : (
                block(field, locale)
              ),
            )}
          </div>
        </div>
      </div>
      <Panel title={t.editor.details} opened={isOpen} onClose={toggle} width={340}>
        <Details opened={opened} work={work} locale={locale} locales={locales} disabled={disabled} />
      </Panel>
    </div>
  )
}
