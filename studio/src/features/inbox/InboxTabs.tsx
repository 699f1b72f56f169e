import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import classes from './Inbox.module.css'

/** Messages, and comments with how many wait. */
export const InboxTabs = ({ active }: { active: 'messages' | 'comments' }) => {
  const can = useCan()
  const query = { 'status[eq]': 'pending', limit: 1 } as object
  const waiting = useRead('/v5/comments', { query }, { enabled: can('comments') }).data?.total ?? 0
  return (
    <nav className={classes.tabs} aria-label={t.inbox.parts}>
      <Tab to="/inbox" active={active === 'messages'}>
        {t.inbox.messages}
      </Tab>
      {can('comments') && (
        <Tab to="/inbox/comments" active={active === 'comments'}>
          {waiting > 0 ? `${t.inbox.comments} · ${formatNumber(waiting)}` : t.inbox.comments}
        </Tab>
      )}
    </nav>
  )
}

const Tab = ({ to, active, children }: { to: string; active: boolean; children: string }) => (
  <Link
    to={to}
    className={classes.tab}
    aria-current={active ? 'page' : undefined}
    activeProps={{}}
    activeOptions={{ exact: true }}
  >
    {children}
  </Link>
)
