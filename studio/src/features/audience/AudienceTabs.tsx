import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/access.ts'
import { t } from '../../texts/index.ts'
import classes from './Audience.module.css'

type Part = 'persons' | 'segments' | 'imports'

const parts: { part: Part; to: string; needs: string }[] = [
  { part: 'persons', to: '/audience', needs: 'persons' },
  { part: 'segments', to: '/audience/segments', needs: 'segments' },
  { part: 'imports', to: '/audience/imports', needs: 'persons_publish' },
]

export const AudienceTabs = ({ current }: { current: Part }) => {
  const can = useCan()
  return (
    <nav className={classes.tabs} aria-label={t.audience.tabs.label}>
      {parts
        .filter(({ needs }) => can(needs))
        .map(({ part, to }) => (
          <Link
            key={part}
            to={to}
            activeOptions={{ exact: true }}
            className={classes.tab}
            aria-current={part === current ? 'page' : undefined}
          >
            {t.audience.tabs[part]}
          </Link>
        ))}
    </nav>
  )
}
