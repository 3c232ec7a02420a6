// Stands in for @graphiql/react/dist/ui/tabs.js (see bundle.mjs): a list of
// buttons instead of role=tab elements with buttons inside, and without
// framer-motion, which was there for reordering tabs by dragging.
// Imports are resolved next to the file it replaces.
import { clsx } from 'clsx';
import { createContext, useContext } from 'react';
import { CloseIcon } from '../icons/index.js';
import { UnStyledButton } from './button.js';

const Active = createContext(false);

function TabRoot({ isActive, value, className, children, ...props }) {
  return (
    <Active.Provider value={isActive}>
      <li {...props} className={clsx('graphiql-tab', isActive && 'graphiql-tab-active', className)}>
        {children}
      </li>
    </Active.Provider>
  );
}

function TabButton({ className, ...props }) {
  return (
    <UnStyledButton
      {...props}
      type="button"
      aria-current={useContext(Active) ? 'true' : undefined}
      className={clsx('graphiql-tab-button', className)}
    />
  );
}

function TabClose({ className, ...props }) {
  return (
    <UnStyledButton
      aria-label="Close Tab"
      {...props}
      type="button"
      className={clsx('graphiql-tab-close', className)}
    >
      <CloseIcon aria-hidden="true" />
    </UnStyledButton>
  );
}

export const Tab = Object.assign(TabRoot, { Button: TabButton, Close: TabClose });

export function Tabs({ values, onReorder, className, children, ...props }) {
  return (
    <ul {...props} className={clsx('graphiql-tabs', className)}>
      {children}
    </ul>
  );
}
