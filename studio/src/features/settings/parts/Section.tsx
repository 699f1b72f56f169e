import { NativeSelect } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCan } from '../../../api/access.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { useIsSmall } from '../../../components/small.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Settings.module.css'
import { pathOf, type SectionName, sectionGroups } from '../sections.ts'

type Props = {
  name: SectionName
  title?: string
  actions?: ReactNode
  children: ReactNode
}

/** One part of the settings, with the way to the others beside it. */
export const Section = ({ name, title, actions, children }: Props) => {
  const small = useIsSmall('phone')
  return (
    <div className={classes.page}>
      {!small && <SideList current={name} />}
      <div className={classes.body}>
        {small && <Choice current={name} />}
        <PageHead
          title={title ?? t.settings.sections[name]}
          hint={title ? undefined : t.settings.hints[name]}
        >
          {actions}
        </PageHead>
        {children}
      </div>
    </div>
  )
}

const useGroups = () => {
  const can = useCan()
  return sectionGroups
    .map(({ name, sections }) => ({ name, sections: sections.filter(({ needs }) => can(needs)) }))
    .filter(({ sections }) => sections.length > 0)
}

const SideList = ({ current }: { current: SectionName }) => (
  <nav className={classes.nav} aria-label={t.settings.nav}>
    {useGroups().map((group) => (
      <section key={group.name}>
        <h2 className={classes.group}>{t.settings.groups[group.name]}</h2>
        {group.sections.map(({ name }) => (
          <Link
            key={name}
            to={pathOf(name)}
            className={classes.link}
            activeProps={{}}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={name === current ? 'page' : undefined}
          >
            {t.settings.sections[name]}
          </Link>
        ))}
      </section>
    ))}
  </nav>
)

const Choice = ({ current }: { current: SectionName }) => {
  const navigate = useNavigate()
  return (
    <div className={classes.small}>
      <NativeSelect
        aria-label={t.settings.nav}
        value={current}
        onChange={(event) => navigate({ to: pathOf(event.currentTarget.value as SectionName) })}
        data={useGroups().map((group) => ({
          group: t.settings.groups[group.name],
          items: group.sections.map(({ name }) => ({ value: name, label: t.settings.sections[name] })),
        }))}
      />
    </div>
  )
}
