/* How many steps a point of the plane takes to leave the circle of radius 2, for z -> z*z + c. */

__attribute__((export_name("escape_time")))
int escape_time(double re, double im, int most)
{
    double x = 0, y = 0;
    int steps = 0;
    while (steps < most && x * x + y * y <= 4) {
        double next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        steps++;
    }
    return steps;
}
