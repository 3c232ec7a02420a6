import{D as i,aa as l,n as e}from"./chunk-MKAZIOED.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
