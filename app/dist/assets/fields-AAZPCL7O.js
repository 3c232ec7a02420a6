import{g as a}from"./chunk-DI6QWS6H.js";import"./chunk-3GNE5NUF.js";import"./chunk-WVPQ3SGQ.js";import"./chunk-BASL7XES.js";export{a as default};
