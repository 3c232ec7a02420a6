<<<<<<<< HEAD:app/dist/assets/farewell-IUHTTYNF.js
import{w as o}from"./chunk-FZAYSIWL.js";import"./chunk-5W3B2W5X.js";import{R as r,ka as t}from"./chunk-ROUUBYRI.js";function i(){return t(o,{title:r.settings.farewell.title,lead:r.settings.farewell.lead,children:t("p",{class:"door-links",children:[t("a",{href:"/app/register",children:r.settings.farewell.again}),t("a",{href:"/app/login",children:r.access.login.title})]})})}export{i as default};
========
import{w as o}from"./chunk-K6OUML3F.js";import"./chunk-IP6YRFL2.js";import{R as r,ka as t}from"./chunk-MU4KAUHT.js";function i(){return t(o,{title:r.settings.farewell.title,lead:r.settings.farewell.lead,children:t("p",{class:"door-links",children:[t("a",{href:"/app/register",children:r.settings.farewell.again}),t("a",{href:"/app/login",children:r.access.login.title})]})})}export{i as default};
>>>>>>>> slugs:app/dist/assets/farewell-557U7A7R.js
