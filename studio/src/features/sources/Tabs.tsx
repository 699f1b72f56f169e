import { Link } from '@tanstack/react-router'
import { t } from '../../texts/index.ts'
import classes from './Sources.module.css'

/** An address below one of them is not one of them. */
const exact = { exact: true, includeSearch: false }

/** What came in, and where it comes from. */
export const SourceTabs = ({ active }: { active: 'reading' | 'followed' }) => (
  <nav className={classes.tabs} aria-label={t.sources.views}>
    <Link
      to="/sources"
      className={classes.tab}
      activeOptions={exact}
      aria-current={active === 'reading' ? 'page' : undefined}
    >
      {t.sources.reading}
    </Link>
    <Link
      to="/sources/followed"
      className={classes.tab}
      activeOptions={exact}
      aria-current={active === 'followed' ? 'page' : undefined}
    >
      {t.sources.followed}
    </Link>
  </nav>
)
