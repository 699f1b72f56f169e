import { Link } from '@tanstack/react-router'
import { useCan } from '../api/access.ts'
import { areas } from '../routes.tsx'
import { t } from '../texts/index.ts'
import { EnvironmentMenu } from './EnvironmentMenu.tsx'
import classes from './Rail.module.css'

/** The areas that the user's role reaches; words below the icons where it is narrow. */
export const Rail = () => {
  const can = useCan()
  return (
    <div className={classes.rail}>
      <EnvironmentMenu />
      <nav aria-label={t.frame.areas}>
        <ul className={classes.list}>
          {areas
            .filter(({ needs }) => can(needs))
            .map(({ name, icon: Icon, pages }) => (
              <li key={name}>
                <Link to={pages[0].path} className={classes.link} activeProps={{ className: classes.active }}>
                  <Icon size={18} stroke={1.6} aria-hidden />
                  <span className="ellipsis">{t.areas[name]}</span>
                </Link>
              </li>
            ))}
        </ul>
      </nav>
    </div>
  )
}
