void *allocate(unsigned long);
void wait();
int main() { wait(); return allocate(4) == nullptr; }
